"""The language server protocol around `lsp.features`."""
