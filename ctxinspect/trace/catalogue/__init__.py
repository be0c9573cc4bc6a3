"""What each rule code means, in four parts: pairing, shape and content of messages, and the pipeline's own stages."""
