package reasons

import (
	"runtime"
	"time"
)

// breath is how long a search may keep a page's only thread.
const breath = 50 * time.Millisecond

// A breather lets that thread take messages now and then: one of them may end the search.
type breather struct{ last time.Time }

func (b *breather) breathe() {
	if runtime.GOOS != "js" || time.Since(b.last) < breath {
		return
	}
	time.Sleep(time.Microsecond)
	b.last = time.Now()
}
