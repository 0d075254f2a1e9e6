"""The `majorant` command and its report."""
