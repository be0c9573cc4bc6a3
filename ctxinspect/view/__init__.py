"""What a panel or a report shows, as frozen rows built from a trace."""
