//go:build !js

package show

import (
	"fmt"
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/ground/view"
)

func uniqueID() string { return gonbui.UniqueId() }

// send sends a view to the notebook; place is "" for a view without a place.
func send(v View, place string) {
	formats := view.Formats(v)
	if gonbui.IsNotebook {
		data := make(map[protocol.MIMEType]any)
		for format, content := range formats {
			data[protocol.MIMEType(format)] = content
		}
		gonbui.SendData(&protocol.DisplayData{Data: data, DisplayID: place})
	}
	// If a display cannot reach the notebook, printing it is better than losing it.
	if !gonbui.IsNotebook || gonbui.Error() != nil {
		fmt.Fprintln(os.Stdout, formats["text/plain"])
	}
}

// shownLive reports whether a reader sees the views as they are sent, and a place's last one only.
func shownLive() bool { return gonbui.IsNotebook }

// sync waits until the kernel has received everything that was sent. It gives up in the end,
// because a kernel that has ended or does not answer must not block the cell.
func sync() {
	done := fence.Start(func() struct{} {
		gonbui.Sync()
		return struct{}{}
	})
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for end := time.After(10 * time.Second); ; {
		select {
		case o := <-done:
			o.Value()
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

// kernel is the id of the process that started the cell.
var kernel = os.Getppid()

// KernelGone reports whether the kernel that started the running cell has ended. The cell's
// displays are lost then.
func KernelGone() bool { return os.Getppid() != kernel }
