//go:build !linux

package jail

import "errors"

const toolArgument = "tool"

func becomeTool([]string) error { return errors.New("this system can't confine a compiler") }
