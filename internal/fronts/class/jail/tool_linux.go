package jail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// toolArgument follows Command for a process that becomes a tool of Go's. After it are the tool and
// its arguments.
const toolArgument = "tool"

// becomeTool confines this process, and runs a tool of Go's in it. The tool writes to the current
// folder. It reads that, and the packages whose files are listed in the file "files" there.
func becomeTool(command []string) error {
	if len(command) == 0 {
		return errors.New("no tool is named")
	}
	listed, err := os.ReadFile("files")
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the tool takes its place
	if version := landlockVersion(); version > 0 {
		folder, err := os.Getwd()
		if err != nil {
			return err
		}
		rules := []rule{{command[0], readingFiles | unix.LANDLOCK_ACCESS_FS_EXECUTE}, {folder, rightsOf(version) &^ devices}, {os.DevNull, using}}
		for _, path := range append(strings.Split(string(listed), "\n"), "/sys/kernel/mm", "/proc/self", "/dev/urandom") {
			rules = append(rules, rule{path, reading})
		}
		if err := restrictFiles(version, rightsOf(version)|unix.LANDLOCK_ACCESS_FS_EXECUTE, rules); err != nil {
			return fmt.Errorf("hiding files: %w", err)
		}
	}
	if err := errors.Join(lowerLimits(), limitMemory(buildMemory), limitTime(buildTime)); err != nil {
		return err
	}
	if err := filterCalls("execve"); err != nil {
		return fmt.Errorf("shutting off the network and other processes: %w", err)
	}
	err = unix.Exec(command[0], append([]string{filepath.Base(command[0])}, command[1:]...), os.Environ())
	return fmt.Errorf("starting %s: %w", command[0], err)
}
