package usage

import "time"

func ofProcess() (time.Duration, bool) { return 0, false }
