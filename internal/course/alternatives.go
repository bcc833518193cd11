package course

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// An Alternative is a right shader to show to those who have written their own.
type Alternative struct {
	Says string // what it does differently, in a sentence or two
	Text string // its code
}

// Alternatives returns the right shaders whose first comment says, after `// way: `, what they do
// differently, in the order of their files.
func (e *Exercise) Alternatives() ([]Alternative, error) { return e.alternatives() }

func (e *Exercise) readAlternatives() ([]Alternative, error) {
	right, err := e.Right()
	if err != nil {
		return nil, err
	}
	var ways []Alternative
	for _, source := range right {
		if says := readHeader(source.Text)["way"]; says != "" {
			ways = append(ways, Alternative{Says: says, Text: withoutFirstComment(source.Text)})
		}
	}
	return ways, nil
}

// Right returns the right shaders in other styles than the reference, in the order of their files.
// Each has the name of its file without the folder and .wgsl.
func (e *Exercise) Right() ([]*shader.Source, error) {
	names, err := fs.Glob(e.files, path.Join(e.ID, "right", "*.wgsl"))
	if err != nil {
		return nil, fmt.Errorf("listing the right shaders of %s: %w", e.ID, err)
	}
	var right []*shader.Source
	for _, name := range names[:min(len(names), mostWrong)] {
		text, err := fs.ReadFile(e.files, name)
		if err != nil {
			return nil, fmt.Errorf("reading a right shader: %w", err)
		}
		right = append(right, shader.Read(strings.TrimSuffix(path.Base(name), ".wgsl"), string(text)))
	}
	return right, nil
}

// withoutFirstComment returns the code of a shader from its first line that is no comment.
func withoutFirstComment(text string) string {
	for strings.HasPrefix(text, "//") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.TrimSpace(text)
}
