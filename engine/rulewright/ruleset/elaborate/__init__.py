"""Elaboration: resolved nodes become declarations and checked procedures."""
