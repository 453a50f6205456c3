"""Weaving: a page's pieces become HTML with the scripts' results in them."""
