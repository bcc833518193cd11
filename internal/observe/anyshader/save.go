package anyshader

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Saved returns the files that texts ask for, each as N=FILE, with what a binding holds: a texture
// as a picture if the name ends in .png, and else the bytes. N may be the name of a variable.
func Saved(all []*Argument, texts []string, of *shader.Source) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, text := range texts {
		place, path, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("%s: write N=FILE", text)
		}
		data, err := content(all, place, of, strings.EqualFold(filepath.Ext(path), ".png"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		files[path] = data
	}
	return files, nil
}

func content(all []*Argument, place string, of *shader.Source, picture bool) ([]byte, error) {
	var at Argument
	if err := at.parsePlace(place, of); err != nil {
		return nil, err
	}
	for _, b := range all {
		switch {
		case b.Group != at.Group || b.Binding != at.Binding:
			continue
		case !picture:
			return b.Data, nil
		case b.Texture == nil:
			return nil, errors.New("only a texture becomes a picture; choose another ending")
		}
		var out bytes.Buffer
		err := png.Encode(&out, b.Picture())
		return out.Bytes(), err
	}
	return nil, errors.New("nothing is bound there")
}
