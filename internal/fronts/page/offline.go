package page

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/weights"
)

// offlinePlaceholder is the text in sw.js that the list of files replaces.
const offlinePlaceholder = `{"what":"is kept"}`

// offline returns the service worker that caches all files of the site, those for one lesson when
// it first asks for them. The cache's name changes with any of them.
func offline(root string, all files) ([]byte, error) {
	script, err := readAsset(root, "sw.js")
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(script, []byte(offlinePlaceholder)) {
		return nil, fmt.Errorf("sw.js has no place for the list of files, %s", offlinePlaceholder)
	}
	now, later := []string{}, []string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if forOneLesson(name) {
			later = append(later, name)
		} else {
			now = append(now, name)
		}
	}
	kept, _ := json.Marshal(map[string]any{"version": hashOf(all), "files": now, "later": later}) // strings never fail
	return bytes.Replace(script, []byte(offlinePlaceholder), kept, 1), nil
}

// forOneLesson reports whether only one lesson needs a file.
func forOneLesson(name string) bool {
	return slices.Contains([]string{weights.ConvName, weights.LettersName}, path.Base(name))
}

// Sizes says how much a visitor downloads, in bytes after gzip.
type Sizes struct {
	Interactive int // until the visitor can edit the first exercise of the largest lesson
	All         int // all files for offline use, without those for one lesson
	Later       int // those
}

// The limits on downloads.
const (
	MostInteractive = 2_000_000
	MostInAll       = 9_000_000
	MostLater       = 1_000_000
)

// Within returns an error if a download is larger than its limit.
func (s Sizes) Within() error {
	if s.Interactive > MostInteractive || s.All > MostInAll || s.Later > MostLater {
		return fmt.Errorf("the site is too large: %s", s)
	}
	return nil
}

func (s Sizes) String() string {
	return fmt.Sprintf("compressed, %.2f MB until a shader can be edited (of at most %.0f), %.2f MB in total (of at most %.0f), and %.2f MB for lessons 12 and 16 alone (of at most %.0f)",
		float64(s.Interactive)/1e6, float64(MostInteractive)/1e6, float64(s.All)/1e6, float64(MostInAll)/1e6, float64(s.Later)/1e6, float64(MostLater)/1e6)
}

func measure(all files, a assets) Sizes {
	var s Sizes
	largest := 0
	for name, data := range all {
		size := len(compressed(data))
		if forOneLesson(name) {
			s.Later += size
			continue
		}
		s.All += size
		switch {
		case strings.HasPrefix(name, a.dir) && !slices.Contains(judgeParts, path.Base(name)):
			s.Interactive += size
		case strings.HasSuffix(name, ".html"):
			largest = max(largest, size)
		}
	}
	s.Interactive += largest
	return s
}

func compressed(data []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	w.Write(data)
	w.Close()
	return out.Bytes()
}
