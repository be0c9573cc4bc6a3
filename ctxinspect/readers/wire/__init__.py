"""Wire dialects: the JSON of one provider's messages as recorded messages, whatever container they came in."""
