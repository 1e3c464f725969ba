"""Binary decision diagrams behind one small protocol."""
