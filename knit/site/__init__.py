"""MkDocs adapters: the plugin that weaves, and the one that makes a site of several languages."""
