package draw

import (
	"bytes"
	"fmt"
)

// sheetScripts are those of the page in the course's site.
var sheetScripts = []string{"frame.js", "page.js", "answer.js", "worker.js"}

// Sheet is the page for the course's site, whose cell runs the network in a Web Worker.
// The site says under which content security policy it stands, and at which address it
// serves SheetScript.
func Sheet(policy, script string) ([]byte, error) {
	p := page{Policy: policy, Address: script, Data: map[string]any{"samples": samples()}}
	var whole bytes.Buffer
	if err := p.write(&whole, sheetScripts...); err != nil {
		return nil, fmt.Errorf("writing the page to draw on: %w", err)
	}
	return whole.Bytes(), nil
}

// SheetScript is the script of the page that Sheet gives.
func SheetScript() []byte { return []byte(bundle(sheetScripts...)) }
