"""Editions: folders, archives and packages of rules, their manifests, and the chain of layers."""
