//go:build !linux

package jail

import "errors"

var errNotLinux = errors.New("wgslab can confine hostile shaders only on Linux: grade in the Docker image")

func confine() error { return errNotLinux }

func limitMemory(uint64) error { return errNotLinux }

func renice(int) error { return errNotLinux }
