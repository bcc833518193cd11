package serve

import "time"

// processorTime returns 0: there are no notebooks on Windows, so nothing starts workers.
func processorTime() time.Duration { return 0 }
