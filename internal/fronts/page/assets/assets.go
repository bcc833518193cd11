// Package assets holds the files of the page's scripts that are also used without a browser.
package assets

import _ "embed" // for HostScript

// HostScript is the JavaScript that gives a learner's program its navigator.gpu.
//
//go:embed gpu.js
var HostScript string
