"""The style of text and pages: plain text or HTML, icons, assets, sanitizing."""
