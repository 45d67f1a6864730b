"""What `rulewright simulate` prints."""
