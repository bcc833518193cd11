package debug

// Space sets the number of instructions between two checkpoints, for tests.
func (s *Session) Space(instructions uint64) { s.spacing = instructions }

// Checkpoints returns the number of checkpoints.
func (s *Session) Checkpoints() int { return len(s.checkpoints) }
