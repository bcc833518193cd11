package wgsl_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
)

func TestEndlessLoops(t *testing.T) {
	for body, endless := range map[string][]string{
		"loop {}":                                             {"loop 2:1"},
		"loop { x += 1; }":                                    {"loop 2:1"},
		"while true {}":                                       {"while 2:1"},
		"while (true) { x += 1; }":                            {"while 2:1"},
		"while ((true)) {}":                                   {"while 2:1"},
		"for (;;) {}":                                         {"for 2:1"},
		"for (var i = 0; true; i++) { x += i; }":              {"for 2:1"},
		"for (var i = 0; (true) ; i++) {}":                    {"for 2:1"},
		"if (x > 0) {\n\tloop { continue; }\n}":               {"loop 3:2"},
		"loop { loop { break; } }":                            {"loop 2:1"},
		"loop { switch x { case 1: { break; } default {} } }": {"loop 2:1"},
		"loop { while x < 3 { break; } for (;;) { break; } }": {"loop 2:1"},
		"loop { loop {} break; }":                             {"loop 2:8"},
		"loop { loop {} }":                                    {"loop 2:1", "loop 2:8"},
		"loop { /* break; */ // return;\n }":                  {"loop 2:1"},
		"loop { x += 1; continuing { x -= 1; } }":             {"loop 2:1"},
		"loop @diagnostic(off, derivative_uniformity) {}":     {"loop 2:1"},

		"loop { break; }":                                      nil,
		"loop { return; }":                                     nil,
		"loop { if x > 3 { break; } x++; }":                    nil,
		"loop { loop { return; } }":                            nil,
		"loop { switch x { case 1: { return; } default {} } }": nil,
		"loop { x++; continuing { break if x > 3; } }":         nil,
		"while x < 3 {}":                                       nil,
		"while (true && x < 3) {}":                             nil,
		"while (x == 3) || (true) {}":                          nil,
		"for (var i = 0; i < 3; i++) {}":                       nil,
		"for (;;) { if x > 3 { break; } }":                     nil,
		"for (; x < 3 ;) {}":                                   nil,
		"if true {} switch x { default: { break; } }":          nil,
		"let whiler = 1; var loops = 2;":                       nil,
	} {
		t.Run(body, func(t *testing.T) {
			m, err := wgsl.Scan("fn helper() {\n" + body + "\n}\n@compute @workgroup_size(1) fn main() {}").Module()
			require.NoError(t, err)
			var found []string
			for _, loop := range m.Endless {
				found = append(found, fmt.Sprintf("%s %d:%d", loop.Keyword, loop.Line, loop.Column))
			}
			require.Equal(t, endless, found)
		})
	}
}
