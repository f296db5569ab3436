// The same interface under its older name.
#pragma once

#include "cusparse.h"
