package jail

import (
	"fmt"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Confines is false: only Linux lets a process give up the network for good.
const Confines = false

// confine forbids this process to start others.
func confine() error { return joinJob(windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS, 0) }

func limitMemory(bytes uint64) error {
	return joinJob(windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY, uintptr(bytes))
}

// joinJob puts this process into a new job object with limits. The job lasts as long as the
// process.
func joinJob(limits uint32, memory uintptr) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("making a job object: %w", err)
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{ProcessMemoryLimit: memory}
	info.BasicLimitInformation.LimitFlags = limits
	info.BasicLimitInformation.ActiveProcessLimit = 1
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		return fmt.Errorf("limiting a job object: %w", err)
	}
	if err := windows.AssignProcessToJobObject(job, windows.CurrentProcess()); err != nil {
		return fmt.Errorf("joining a job object: %w", err)
	}
	return nil
}

func limitTime(time.Duration) error { return nil }

func renice(int) error { return nil }

// keepFiles does nothing: a child inherits only the handles that it is given.
func keepFiles() error { return nil }
