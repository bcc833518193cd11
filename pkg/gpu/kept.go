package gpu

import (
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
)

// KeepPrograms has the device keep what the driver made of the last n shaders that
// were compiled, also when their kernels are freed: a kernel of the same shader is then
// there at once.
func KeepPrograms(n int) Option { return func(device *Device) { device.kept.most = n } }

// A made program is what the driver made of a shader. The kernels of that shader share
// it with the list of those that are kept.
type made struct {
	program
	name, text string // of the shader
	users      int
}

func (m *made) release() {
	if m.users--; m.users == 0 {
		m.program.release()
	}
}

// kept are the programs that stay, the one that was wanted last at the end.
type kept struct {
	most     int
	programs []*made
}

// find gives the program of a shader to one more user; nil where none is kept.
func (k *kept) find(source *shader.Source) *made {
	i := slices.IndexFunc(k.programs, func(m *made) bool { return m.name == source.Name && m.text == source.Text })
	if i < 0 {
		return nil
	}
	k.programs[i].users++
	return k.programs[i]
}

// add keeps a program, and gives the one that has to go for it; nil for none.
func (k *kept) add(m *made) (gone *made) {
	if i := slices.Index(k.programs, m); i >= 0 {
		k.programs = slices.Delete(k.programs, i, i+1)
	} else {
		m.users++
	}
	k.programs = append(k.programs, m)
	if len(k.programs) > k.most {
		gone = k.programs[0]
		k.programs = slices.Delete(k.programs, 0, 1)
	}
	return gone
}
