"""How the store's tables came to be, version by version. `upgrade` runs at every start."""
