//! Reads the drawing of a hall in a catalogue file. (Filled in next.)
