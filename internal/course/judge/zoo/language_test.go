package zoo_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var wholeShader = regexp.MustCompile("(?s)```wgsl\n([^`]*@compute.*?)```")

// A driver compiles the whole shaders of the page about WGSL as well. The tests of the course read
// the rest.
func TestTheLanguagePageCompilesOnADriver(t *testing.T) {
	text, err := os.ReadFile("../../../../notebooks/wgsl.md")
	require.NoError(t, err)
	d := device(t)
	whole := wholeShader.FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, whole)
	for i, match := range whole {
		_, err := d.Compile("wgsl.md", match[1])
		require.NoError(t, err, "shader %d of the page", i+1)
	}
}
