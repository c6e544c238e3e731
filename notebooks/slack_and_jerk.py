# ---
# jupyter:
#   jupytext:
#     formats: py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Slack and jerk
#
# A wire that was slack becomes taut in an instant: the load's velocity along it, $u = -\dot\psi^-$, vanishes within a
# step. The impulse is $p = m u$ for a point mass, and the energy $\tfrac12 p u = \tfrac12 m u^2$ is lost (Carnot). Both
# are properties of the motion, not of the time step: that is what makes them worth recording as an event.

# %%
# %matplotlib inline
import numpy as np
import scenarios
import towsim
from towsim.scene import scene_from_text

scenario = scenarios.get("slack-jerk")
result = towsim.simulate(scenario.build())
for check in scenario.check(result):
    print(check)
result.events

# %%
towsim.plot(result, ["tension", "gap"])

# %% [markdown]
# ## The impulse is finite, however small the step
#
# A load of 2 kg falls 0.5 m on a slack wire of 1 m and is then caught: $u = \sqrt{2 g \cdot 0.5}$. The instant is met
# within a step, so that the impulse comes closer to $m u$ in proportion to the step.

# %%
drop = scene_from_text("""
bodies: {load: {mass: 2.0, point: true, position: [0, 0, -0.5]}}
robots: {post: {position: [0, 0, 0]}}
wires: {w: {from: load, to: post, length: 1.0}}
run: {duration: 0.6}
""")
expected = 2.0 * np.sqrt(2 * 9.81 * 0.5)
for step in (1e-2, 1e-3, 1e-4):
    jerk = towsim.simulate(drop, step=step).events.select("jerk")[0]
    print(f"h = {step:g} s: {jerk.impulse:.4f} N s (exact {expected:.4f}), {jerk.energy_lost:.4f} J lost")

# %% [markdown]
# The *force* of a jerk is another matter: a hard wire carries the impulse in one step, so impulse over step grows
# without bound as the step shrinks. A real wire stretches; its peak force is about $u\sqrt{k m}$ with
# $k = EA/L$, which is what a wire with `model: elastic` shows.
