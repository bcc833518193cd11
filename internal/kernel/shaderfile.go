package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ShaderFiles answers the cells that begin with %%writefile and name a file of
// WGSL: the rest of the cell is written to that file, without a word. GoNB does the
// same with a word on stderr, and makes no folder.
type ShaderFiles struct{}

// shaderCell is the first line of a cell with a shader, as GoNB reads it: perhaps
// behind a comment, perhaps with -a to append.
var shaderCell = regexp.MustCompile(`^(?://gonb:)?%%writefile[ \t]+(-a[ \t]+)?("[^"\n]+\.wgsl"|[^ \t\n"]+\.wgsl)[ \t\r]*(?:\n|$)`)

// shaderFile gives the file that a cell is written to, the text, and whether the
// text is appended. ok is false when the cell holds no shader.
func shaderFile(code string) (file, text string, appended, ok bool) {
	match := shaderCell.FindStringSubmatch(code)
	if match == nil {
		return "", "", false, false
	}
	file = os.ExpandEnv(strings.Trim(match[2], `"`))
	if rest, found := strings.CutPrefix(file, "~/"); found {
		if home, err := os.UserHomeDir(); err == nil {
			file = filepath.Join(home, rest)
		}
	}
	// GoNB ends every line with a line feed, the last one too.
	if strings.Contains(code, "\n") {
		text = code[len(match[0]):] + "\n"
	}
	return file, text, match[1] != "", true
}

// Parse gives the file that a cell names and the offset at which its text begins; ok is
// false when the cell holds no shader.
func (ShaderFiles) Parse(code string) (file string, text int, ok bool) {
	match := shaderCell.FindString(code)
	file, _, _, ok = shaderFile(code)
	return file, len(match), ok
}

// Takes implements Answerer.
func (ShaderFiles) Takes(code string) bool { return shaderCell.MatchString(code) }

// Run implements Answerer.
func (ShaderFiles) Run(_ context.Context, cell Cell, _ Output) error {
	file, text, appended, _ := shaderFile(cell.Code)
	if !filepath.IsAbs(file) {
		file = filepath.Join(cell.Dir, file)
	}
	if err := writeShader(file, text, appended); err != nil {
		return &CellError{Name: "WriteError", Message: err.Error()}
	}
	return nil
}

func writeShader(file, text string, appended bool) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fmt.Errorf("the shader's folder cannot be made: %w", err)
	}
	how := os.O_TRUNC
	if appended {
		how = os.O_APPEND
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|how, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("the shader cannot be written to its file: %w", err)
	}
	return nil
}
