"""The game state, the tree-walking interpreter, and the interface of all back ends."""
