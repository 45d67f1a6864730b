// The parts of CodeMirror, its language client and the Markdown sanitizer that the studio page uses.

export { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionStatus, currentCompletions, moveCompletionSelection, selectedCompletion, startCompletion } from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentLess, indentMore, isolateHistory, redo, redoDepth, toggleComment, undo, undoDepth } from "@codemirror/commands";
export { yaml } from "@codemirror/lang-yaml";
export { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentOnInput, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { forEachDiagnostic, lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
export { findReferences, formatDocument, hoverTooltips, jumpToDefinition, LSPClient, LSPPlugin, serverCompletionSource, signatureHelp, Workspace } from "@codemirror/lsp-client";
export { MergeView, unifiedMergeView } from "@codemirror/merge";
export { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
export { Annotation, ChangeSet, Compartment, EditorSelection, EditorState, Facet, Prec, StateEffect, StateField, Text, Transaction } from "@codemirror/state";
export { crosshairCursor, Decoration, drawSelection, dropCursor, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers, placeholder, tooltips, ViewPlugin, WidgetType } from "@codemirror/view";
export { tags } from "@lezer/highlight";
export { default as purify } from "dompurify";
