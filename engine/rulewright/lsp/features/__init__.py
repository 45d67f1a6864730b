"""What an editor may say about rules: functions of a workspace, which know no protocol."""
