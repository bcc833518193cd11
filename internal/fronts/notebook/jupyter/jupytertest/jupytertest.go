// Package jupytertest provides a Jupyter kernel for tests, which misbehaves on demand. The kernel
// itself is the program fakekernel in a folder of this package. Only tests import it.
package jupytertest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The names of the kernel specs that Install makes. The name decides how the kernel starts and
// ends; a cell's code decides what the kernel does with it (see the next list).
const (
	Fake        = "fake"                 // starts and ends as it should
	DiesAtOnce  = "fake-dies-at-once"    // with status 3, and says "no licence found"
	NeverSpeaks = "fake-never-speaks"    // opens no socket
	WillNotEnd  = "fake-will-not-end"    // ignores every request to end, and so does its child
	ForgesInfo  = "fake-forges-its-info" // signs its first answer wrongly
)

// The codes of cells, each with the kernel's behaviour. Each cell first prints the line "before" on
// stdout. An interrupt ends those that wait for one.
const (
	Fine         = "fine"          // replies "ok"
	Fails        = "fails"         // replies with an error
	NoReply      = "no reply"      // becomes idle without a reply
	NoIdle       = "no idle"       // replies and does not become idle
	Endless      = "endless"       // until it is interrupted
	Deaf         = "deaf"          // does nothing, and ignores interrupts
	DiesOnCall   = "dies on call"  // an interrupt ends the kernel, with status 137
	HangsUp      = "hangs up"      // an interrupt makes it close its sockets and live on
	LastWords    = "last words"    // prints the lines 0 to 999, each of 1 kB, and kills itself
	Orphan       = "orphan"        // like LastWords, but a child keeps the sockets open
	DiesAfter    = "dies after"    // replies "ok", becomes idle and dies
	BadSignature = "bad signature" // signs an output with another key, then replies "ok"
	Garbage      = "garbage"       // sends an output that is not JSON, then replies "ok"
	Unknown      = "unknown"       // sends messages of unknown types, then replies "ok"
	Strangers    = "strangers"     // sends what answers another client, then replies "ok"
	Flood        = "flood"         // prints 100 MB in lines of 10 kB, until interrupted and beyond
	OneLine      = "one line"      // prints 30 MB in one message, then replies "ok"
)

const module = "github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest/fakekernel"

// Within provides the kernel and its specs in a folder while run runs a package's tests, and
// returns the result of run.
func Within(run func(dir string) int) int {
	dir, err := os.MkdirTemp("", "wgslab-fakes-")
	Must(err)
	defer os.RemoveAll(dir)
	Must(Install(dir))
	return run(dir)
}

// Must ends the program on an error: there is no test yet that could fail.
func Must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Install builds the kernel and makes its specs, all in dir. JUPYTER_PATH can then name dir.
func Install(dir string) error {
	program := filepath.Join(dir, "fakekernel")
	if out, err := exec.Command("go", "build", "-o", program, module).CombinedOutput(); err != nil {
		return fmt.Errorf("building the fake kernel: %w\n%s", err, out)
	}
	for _, name := range []string{Fake, DiesAtOnce, NeverSpeaks, WillNotEnd, ForgesInfo} {
		spec, err := json.Marshal(map[string]any{
			"argv":           []string{program, name, "{connection_file}"},
			"display_name":   name,
			"language":       "fake",
			"interrupt_mode": "message",
		})
		if err != nil {
			return fmt.Errorf("making the kernel spec %s: %w", name, err)
		}
		folder := filepath.Join(dir, "kernels", name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return fmt.Errorf("making the kernel spec %s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, "kernel.json"), spec, 0o644); err != nil {
			return fmt.Errorf("making the kernel spec %s: %w", name, err)
		}
	}
	return nil
}
