(** * Suprema of the derivatives of SiLU and GELU over the whole real line.

    Numbers come from the [interval] tactic on a compact interval (so these proofs also use Coq's primitive
    integers and floats); the rest of the line is covered by a proved reduction. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Majorant Require Import Definitions Powers Calculus.
From Majorant Require Statements.
Open Scope R_scope.

(** ** SiLU *)

Lemma sigmoid_range x : 0 < sigmoid x < 1.
Proof.
  unfold sigmoid. pose proof (exp_pos (- x)). split; [apply Rinv_0_lt_compat; lra|].
  rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.

Lemma sigmoid_reflect x : sigmoid (- x) = 1 - sigmoid x.
Proof.
  unfold sigmoid. rewrite Ropp_involutive, exp_Ropp. pose proof (exp_pos x). field. lra.
Qed.

Lemma silu'_reflect x : silu' (- x) = 1 - silu' x.
Proof. unfold silu'. rewrite sigmoid_reflect. ring. Qed.

Lemma sigmoid_derive x : is_derive sigmoid x (sigmoid x * (1 - sigmoid x)).
Proof.
  unfold sigmoid. pose proof (exp_pos (- x)). auto_derive; [lra | field; lra].
Qed.

(** [silu'' = s (1-s) (2 + x (1 - 2 s))] changes sign once on the positive side. *)
Let bend (x : R) := 2 + x * (1 - 2 * sigmoid x).

Lemma silu'_derive x : is_derive silu' x (sigmoid x * (1 - sigmoid x) * bend x).
Proof.
  unfold silu', bend. pose proof (sigmoid_derive x) as D. set (s := sigmoid x) in *.
  replace (s * (1 - s) * (2 + x * (1 - 2 * s)))
    with (s * (1 - s) + (1 * (s * (1 - s)) + x * (s * (1 - s) * (1 - s) + s * - (s * (1 - s))))) by ring.
  apply (is_derive_plus sigmoid (fun x => x * (sigmoid x * (1 - sigmoid x)))); [exact D|].
  apply (is_derive_mult (fun x => x) (fun x => sigmoid x * (1 - sigmoid x)));
    [apply (@is_derive_id R_AbsRing) | | apply Rmult_comm].
  apply (is_derive_mult sigmoid (fun x => 1 - sigmoid x)); [exact D | | apply Rmult_comm].
  replace (- (s * (1 - s))) with (0 - s * (1 - s)) by ring.
  apply (is_derive_minus (fun _ => 1) sigmoid); [apply (@is_derive_const R_AbsRing R_NormedModule) | exact D].
Qed.

Lemma sigmoid_increasing x y : x <= y -> sigmoid x <= sigmoid y.
Proof.
  intros H. unfold sigmoid. pose proof (exp_pos (- y)). apply Rinv_le_contravar; [lra|].
  pose proof (exp_le (- y) (- x) ltac:(lra)). lra.
Qed.

Lemma bend_decreasing x y : 0 <= x -> x <= y -> bend y <= bend x.
Proof.
  intros Hx H. unfold bend. pose proof (sigmoid_increasing x y H) as I.
  assert (Half : 1 / 2 <= sigmoid x).
  { pose proof (sigmoid_increasing 0 x Hx) as J. replace (sigmoid 0) with (1 / 2) in J; [assumption|].
    unfold sigmoid. rewrite Ropp_0, exp_0. field. }
  nra.
Qed.

(** The maximum lies between these two numbers. *)
Let left_end : R := 2399357280515467667832739697282 / 10 ^ 30.
Let right_end : R := 2399357280515467667832739697283 / 10 ^ 30.

Lemma bend_left : 0 <= bend left_end.
Proof. unfold bend, sigmoid, left_end. interval with (i_prec 140). Qed.

Lemma bend_right : bend right_end <= 0.
Proof. unfold bend, sigmoid, right_end. interval with (i_prec 140). Qed.

Lemma slope_sign x : 0 <= sigmoid x * (1 - sigmoid x).
Proof. pose proof (sigmoid_range x). apply Rmult_le_pos; lra. Qed.

Lemma silu'_peak x : left_end <= x <= right_end -> silu' x <= 1099839320128866916958184925 / 10 ^ 27.
Proof. unfold silu', sigmoid, left_end, right_end. intros H. interval with (i_prec 140). Qed.

Theorem silu_slope_upper x : silu' x <= 1099839320128866916958184925 / 10 ^ 27.
Proof.
  assert (L0 : 0 < left_end) by (unfold left_end; lra). assert (LR : left_end <= right_end) by (unfold left_end, right_end; lra).
  destruct (Rle_dec x 0) as [N|N].
  { pose proof (sigmoid_range x) as S. unfold silu'.
    assert (0 <= sigmoid x * (1 - sigmoid x)) by (apply Rmult_le_pos; lra). nra. }
  destruct (Rle_dec x left_end) as [A|A].
  - (* increasing up to the left end *)
    apply Rle_trans with (silu' left_end); [|apply silu'_peak; lra].
    pose proof (nonneg_on_interval_left (fun y => silu' left_end - silu' y)
      (fun y => - (sigmoid y * (1 - sigmoid y) * bend y)) 0 left_end) as M. cbv beta in M.
    assert (0 <= silu' left_end - silu' x); [|lra]. apply M; try lra.
    + intros z Hz. replace (- (sigmoid z * (1 - sigmoid z) * bend z)) with (0 - sigmoid z * (1 - sigmoid z) * bend z) by ring.
      apply (is_derive_minus (fun _ => silu' left_end) silu');
        [apply (@is_derive_const R_AbsRing R_NormedModule) | apply silu'_derive].
    + intros z Hz. pose proof (slope_sign z). pose proof (bend_decreasing z left_end ltac:(lra) ltac:(lra)).
      pose proof bend_left. assert (0 <= sigmoid z * (1 - sigmoid z) * bend z) by (apply Rmult_le_pos; lra). lra.
  - destruct (Rle_dec x right_end) as [B|B]; [apply silu'_peak; lra|].
    apply Rle_trans with (silu' right_end); [|apply silu'_peak; lra].
    pose proof (nonneg_from (fun y => silu' right_end - silu' y)
      (fun y => - (sigmoid y * (1 - sigmoid y) * bend y)) right_end) as M. cbv beta in M.
    assert (0 <= silu' right_end - silu' x); [|lra]. apply M; try lra.
    + intros z Hz. replace (- (sigmoid z * (1 - sigmoid z) * bend z)) with (0 - sigmoid z * (1 - sigmoid z) * bend z) by ring.
      apply (is_derive_minus (fun _ => silu' right_end) silu');
        [apply (@is_derive_const R_AbsRing R_NormedModule) | apply silu'_derive].
    + intros z Hz. pose proof (slope_sign z). pose proof (bend_decreasing right_end z ltac:(lra) ltac:(lra)).
      pose proof bend_right. assert (0 <= sigmoid z * (1 - sigmoid z) * - bend z) by (apply Rmult_le_pos; lra). lra.
Qed.

(** A slope that a reflection turns into one minus itself is bounded on both sides. *)
Lemma both_sides (f : R -> R) (c : R) : 1 <= c -> (forall x, f (- x) = 1 - f x) -> (forall x, f x <= c) ->
  forall x, Rabs (f x) <= c.
Proof. intros Hc Rf Up x. pose proof (Up x). pose proof (Up (- x)) as L. rewrite Rf in L. apply Rabs_le. lra. Qed.

Theorem silu_slope_bound z : silu_slope z -> z <= 1099839320128866916958184925 / 10 ^ 27.
Proof. intros [x ->]. apply both_sides; [lra | apply silu'_reflect | apply silu_slope_upper]. Qed.

Theorem silu_slope_sharp : exists x, 1099839320128866916958184924 / 10 ^ 27 <= silu' x.
Proof. exists left_end. unfold silu', sigmoid, left_end. interval with (i_prec 140). Qed.

(** ** GELU: the derivative is largest at [sqrt 2], by the sign of the second derivative *)

Lemma gauss_pos x : 0 < gauss x.
Proof. unfold gauss. apply Rdiv_lt_0_compat; [apply exp_pos | apply sqrt_lt_R0; pose proof PI_RGT_0; lra]. Qed.

Lemma two_pi_pos : 0 < sqrt (2 * PI).
Proof. apply sqrt_lt_R0. pose proof PI_RGT_0. lra. Qed.

Lemma gauss_continuous x : continuous gauss x.
Proof.
  pose proof two_pi_pos. apply (ex_derive_continuous gauss). unfold gauss. auto_derive. lra.
Qed.

Lemma gauss_derive x : is_derive gauss x (- x * gauss x).
Proof. pose proof two_pi_pos. unfold gauss. auto_derive; [lra|].
  replace (x * (x * 1) * / 2) with (x ^ 2 / 2) by (simpl; field). field. lra.
Qed.

Lemma Phi_derive x : is_derive Phi x (gauss x).
Proof.
  unfold Phi. replace (gauss x) with (0 + gauss x) by ring. apply (is_derive_plus (fun _ => 1 / 2)).
  - apply (is_derive_ext (fun _ => 1 / 2)); [reflexivity|]. apply (@is_derive_const R_AbsRing R_NormedModule).
  - apply is_derive_RInt with 0.
    + exists (mkposreal 1 Rlt_0_1). intros y _. apply (@RInt_correct R_CompleteNormedModule), (@ex_RInt_continuous R_CompleteNormedModule). intros; apply gauss_continuous.
    + apply gauss_continuous.
Qed.

Lemma gelu'_derive x : is_derive gelu' x (gauss x * (2 - x ^ 2)).
Proof.
  unfold gelu'. replace (gauss x * (2 - x ^ 2)) with (gauss x + (1 * gauss x + x * (- x * gauss x))) by ring.
  apply (is_derive_plus Phi (fun x => x * gauss x)); [apply Phi_derive|].
  apply (is_derive_mult (fun x => x) gauss); [apply (@is_derive_id R_AbsRing) | apply gauss_derive | apply Rmult_comm].
Qed.

Lemma Phi_0 : Phi 0 = 1 / 2.
Proof. unfold Phi. rewrite RInt_point. unfold zero; simpl. ring. Qed.

Lemma Phi_reflect x : Phi (- x) = 1 - Phi x.
Proof.
  set (G := fun y => Phi (- y) + Phi y).
  assert (D : forall y : R, is_derive G y ((fun _ => 0) y)).
  { intros y. unfold G. replace ((fun _ => 0) y) with (-1 * gauss (- y) + gauss y).
    - apply (is_derive_plus (fun y => Phi (- y)) Phi); [|apply Phi_derive].
      apply (is_derive_comp Phi (fun y => - y)); [apply Phi_derive|]. auto_derive; [trivial | ring].
    - unfold gauss. replace ((- y) ^ 2) with (y ^ 2) by ring. ring. }
  assert (G0 : G 0 = 1) by (unfold G; rewrite Ropp_0, Phi_0; lra).
  assert (E : G x = 1).
  { destruct (Rtotal_order x 0) as [L|[->|L]]; [| assumption |].
    - destruct (mvt G (fun _ => 0) x 0 L) as [y [_ E]]; [intros; apply D | lra].
    - destruct (mvt G (fun _ => 0) 0 x L) as [y [_ E]]; [intros; apply D | lra]. }
  unfold G in E. lra.
Qed.

Lemma gelu'_reflect x : gelu' (- x) = 1 - gelu' x.
Proof. unfold gelu'. rewrite Phi_reflect. unfold gauss. replace ((- x) ^ 2) with (x ^ 2) by ring. lra. Qed.

(** The exact supremum. *)
Theorem gelu_slope_exact x : gelu' x <= gelu' (sqrt 2).
Proof.
  assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (Sq : sqrt 2 ^ 2 = 2) by (apply pow2_sqrt; lra).
  assert (Up : forall y, 0 <= y -> gelu' y <= gelu' (sqrt 2)).
  { intros y Hy. destruct (Rle_dec y (sqrt 2)) as [L|L].
    - pose proof (nonneg_on_interval_left (fun y => gelu' (sqrt 2) - gelu' y) (fun y => - (gauss y * (2 - y ^ 2)))
        0 (sqrt 2)) as N. cbv beta in N.
      assert (0 <= gelu' (sqrt 2) - gelu' y); [|lra]. apply N; try lra.
      + intros z Hz. replace (- (gauss z * (2 - z ^ 2))) with (0 - gauss z * (2 - z ^ 2)) by ring.
        apply (is_derive_minus (fun _ => gelu' (sqrt 2)) gelu'); [apply (@is_derive_const R_AbsRing R_NormedModule) | apply gelu'_derive].
      + intros z Hz. pose proof (gauss_pos z). assert (z ^ 2 <= sqrt 2 ^ 2) by (apply pow_incr; lra). nra.
    - pose proof (nonneg_from (fun y => gelu' (sqrt 2) - gelu' y) (fun y => - (gauss y * (2 - y ^ 2))) (sqrt 2)) as N.
      cbv beta in N. assert (0 <= gelu' (sqrt 2) - gelu' y); [|lra]. apply N; try lra.
      + intros z Hz. replace (- (gauss z * (2 - z ^ 2))) with (0 - gauss z * (2 - z ^ 2)) by ring.
        apply (is_derive_minus (fun _ => gelu' (sqrt 2)) gelu'); [apply (@is_derive_const R_AbsRing R_NormedModule) | apply gelu'_derive].
      + intros z Hz. pose proof (gauss_pos z). assert (sqrt 2 ^ 2 <= z ^ 2) by (apply pow_incr; lra). nra. }
  destruct (Rle_dec 0 x) as [P|P]; [now apply Up|].
  (* on the negative side the slope is at most 1/2 *)
  pose proof (Up 0 ltac:(lra)) as H0.
  assert (E0 : gelu' 0 = 1 / 2) by (unfold gelu'; rewrite Phi_0; ring).
  assert (Pos : 1 / 2 <= Phi (- x)).
  { unfold Phi. assert (0 <= RInt gauss 0 (- x)); [|lra].
    apply RInt_ge_0; [lra | apply (@ex_RInt_continuous R_CompleteNormedModule); intros; apply gauss_continuous | intros; left; apply gauss_pos]. }
  rewrite Phi_reflect in Pos. unfold gelu' at 1. pose proof (gauss_pos x). nra.
Qed.

Lemma gelu_peak :
  1128904145185154786340744442 / 10 ^ 27 <= gelu' (sqrt 2) <= 1128904145185154786340744443 / 10 ^ 27.
Proof.
  unfold gelu', Phi, gauss. rewrite pow2_sqrt by lra.
  integral with (i_prec 120, i_fuel 5000, i_degree 20, i_width (-100)).
Qed.

Theorem gelu_slope_bound z : gelu_slope z -> z <= 1128904145185154786340744443 / 10 ^ 27.
Proof.
  intros [x ->]. apply both_sides; [lra | apply gelu'_reflect |].
  intros y. pose proof (gelu_slope_exact y). pose proof gelu_peak. lra.
Qed.

Theorem gelu_slope_sharp : exists x, 1128904145185154786340744442 / 10 ^ 27 <= gelu' x.
Proof. exists (sqrt 2). apply gelu_peak. Qed.

(** ** The statements *)

Theorem silu : Statements.silu.
Proof. intros z H. pose proof (silu_slope_bound z H). lra. Qed.

Theorem gelu : Statements.gelu.
Proof. intros z H. pose proof (gelu_slope_bound z H). lra. Qed.
