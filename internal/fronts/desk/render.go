package desk

import (
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/view"
)

// Rendered returns a view in all formats, with its place if it has one.
func Rendered(v view.View) protocol.View {
	rendered := view.Formats(v)
	if place := view.PlaceOf(v); place != "" {
		rendered[protocol.InPlace] = place
	}
	return rendered
}
