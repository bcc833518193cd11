package gpu

import "github.com/wgslab/wgslab/internal/shader"

// What can go wrong, as the contract of all engines has it.
type (
	CompileError  = shader.CompileError
	BindError     = shader.BindError
	EndlessError  = shader.EndlessError
	DeadlineError = shader.DeadlineError
)
