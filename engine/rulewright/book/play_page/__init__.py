"""The data of the page on which an edition is played."""
