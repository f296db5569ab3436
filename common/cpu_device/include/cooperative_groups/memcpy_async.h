// Copies by a group are in cooperative_groups.h here.
#pragma once
#include "../cooperative_groups.h"
