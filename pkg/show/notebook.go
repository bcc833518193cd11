//go:build !js

package show

import (
	"fmt"
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

func uniqueID() string { return gonbui.UniqueId() }

// send hands a view to the notebook, for a place where it has one.
func send(view View, place string) {
	if gonbui.IsNotebook {
		data := make(map[protocol.MIMEType]any)
		for format, content := range Formats(view) {
			data[protocol.MIMEType(format)] = content
		}
		gonbui.SendData(&protocol.DisplayData{Data: data, DisplayID: place})
	}
	// A display that cannot reach the notebook is better printed than lost.
	if !gonbui.IsNotebook || gonbui.Error() != nil {
		fmt.Fprintln(os.Stdout, view.Text())
	}
}

// sync waits until the kernel has taken all that was sent, but not forever: a
// kernel that no longer answers, or has ended, must not hold the cell.
func sync() {
	done := make(chan struct{})
	go func() {
		gonbui.Sync()
		close(done)
	}()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for end := time.After(10 * time.Second); ; {
		select {
		case <-done:
			return
		case <-end:
			return
		case <-look.C:
			if KernelGone() {
				return
			}
		}
	}
}

// kernel is the process that started the cell.
var kernel = os.Getppid()

// KernelGone says whether the kernel ended that started the running cell. What
// the cell shows reaches nobody then.
func KernelGone() bool { return os.Getppid() != kernel }
