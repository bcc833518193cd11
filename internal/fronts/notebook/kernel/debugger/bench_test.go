package debugger_test

import (
	"testing"
)

// What a learner waits for, through the kernel's sockets, on a shader with 64 invocations, or 256
// in the second.

func BenchmarkStepToPanel(b *testing.B) {
	for _, id := range []string{"row-max", "matmul-tiled"} {
		b.Run(id, func(b *testing.B) {
			l := openLab(b)
			l.turnOn()
			stopIn(b, l, id, map[string]string{"row-max": "var largest", "matmul-tiled": "let row"}[id])
			for b.Loop() {
				l.body("next", object{"threadId": 1})
				l.await("stopped")
				fillPanel(b, l)
			}
		})
	}
}

// fillPanel asks for what JupyterLab shows at a stop.
func fillPanel(b *testing.B, l *lab) {
	var asked []string
	for _, s := range l.body("scopes", object{"frameId": l.top()["id"]})["scopes"].([]any) {
		asked = append(asked, l.ask("variables", object{"variablesReference": s.(object)["variablesReference"]}))
	}
	for _, id := range asked {
		l.finished(id)
	}
}

// BenchmarkACheck is the way to a check with the debugger off, on without a breakpoint, and on with
// one elsewhere.
func BenchmarkACheck(b *testing.B) {
	cell, _ := shaderCell(b, "row-max")
	other, find := shaderCell(b, "relu")
	for _, state := range []string{"off", "on", "elsewhere"} {
		b.Run(state, func(b *testing.B) {
			l := openLab(b)
			if state != "off" {
				l.turnOn()
			}
			if state == "elsewhere" {
				l.setBreakpoints(other, find("fn main"))
			}
			l.finished(l.run(cell))
			for b.Loop() {
				l.finished(l.run(checkCell("row-max")))
			}
		})
	}
}
