//go:build !windows

package jail

import (
	"os"
	"os/exec"
)

// answerFile is the file descriptor for the answer, because drivers print on stdout.
const answerFile = 3

// passAnswerFile gives a process that starts next the file for its answer.
func passAnswerFile(process *exec.Cmd, file *os.File) error {
	process.ExtraFiles = []*os.File{file} // becomes file 3
	return nil
}

// openAnswerFile returns the file for this process's answer.
func openAnswerFile() *os.File { return os.NewFile(answerFile, "answer") }
