// What every program owes to a user who asks for something impossible: for tests of programs.
#pragma once

#include <string>
#include <vector>

#include "run_program.h"

namespace course {

// The executable under test refuses these arguments: exit code 2, one line on stderr that contains
// `reason`, nothing on stdout, and no file left behind.
void check_refused(const std::vector<std::string>& args, const std::string& reason = "");

// The same for a whole number that --`name` must refuse, whatever its limits are.
void check_number_option(const std::string& name);

// --save must refuse these before anything is computed.
void check_save_option();

}  // namespace course
