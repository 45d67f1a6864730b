"""The intermediate representation: typed operations to which procedures are lowered."""
