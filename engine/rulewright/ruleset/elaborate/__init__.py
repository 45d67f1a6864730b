"""Turn merged nodes into typed declarations and checked procedures, section by section."""
