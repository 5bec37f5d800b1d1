# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMM: 216 charged argon atoms, particle-mesh Ewald, fifty steps, against
OpenMM's reference platform."""

import openmm
from openmm import unit

from verdict import finish, step

atoms = 216
edge = 2.3  # nm
system = openmm.System()
system.setDefaultPeriodicBoxVectors(openmm.Vec3(edge, 0, 0), openmm.Vec3(0, edge, 0),
                                    openmm.Vec3(0, 0, edge))
force = openmm.NonbondedForce()
force.setNonbondedMethod(openmm.NonbondedForce.PME)
force.setCutoffDistance(0.9)
positions = []
for i in range(atoms):
    system.addParticle(39.9)
    force.addParticle(0.1 * (-1)**i, 0.34, 0.99)
    positions.append(openmm.Vec3(i % 6, (i // 6) % 6, i // 36) * 0.37)
system.addForce(force)


def energies(platform, **properties):
    """Potential energy in kJ/mol, before and after the steps."""
    integrator = openmm.VerletIntegrator(0.002)
    context = openmm.Context(system, integrator,
                             openmm.Platform.getPlatformByName(platform), properties)
    context.setPositions(positions)

    def potential():
        energy = context.getState(getEnergy=True).getPotentialEnergy()
        return energy.value_in_unit(unit.kilojoule_per_mole)

    before = potential()
    integrator.step(50)
    return before, potential()


reference = energies("Reference")
opencl = energies("OpenCL", OpenCLPlatformIndex="0", DeviceIndex="0", Precision="single")
step("energy before, kJ/mol", opencl[0], reference[0], 1e-4)
step("energy after, kJ/mol", opencl[1], reference[1], 1e-3)
finish()
