package jail

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// answerVariable names the environment variable with the handle of the file for the answer.
const answerVariable = "WGSLAB_ANSWER"

// passAnswerFile gives a process that starts next the file for its answer.
func passAnswerFile(process *exec.Cmd, file *os.File) error {
	handle := syscall.Handle(file.Fd())
	if err := syscall.SetHandleInformation(handle, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
		return fmt.Errorf("passing a pipe on: %w", err)
	}
	process.SysProcAttr = &syscall.SysProcAttr{AdditionalInheritedHandles: []syscall.Handle{handle}}
	process.Env = append(process.Env, answerVariable+"="+strconv.FormatUint(uint64(handle), 10))
	return nil
}

// openAnswerFile returns the file for this process's answer.
func openAnswerFile() *os.File {
	handle, _ := strconv.ParseUint(os.Getenv(answerVariable), 10, 64) // writing to 0 fails
	return os.NewFile(uintptr(handle), "answer")
}
