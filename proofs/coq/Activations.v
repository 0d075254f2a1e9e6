(** * Suprema of the derivatives of SiLU and GELU over the whole real line.

    Numbers come from the [interval] tactic on a compact interval (so these proofs also use Coq's primitive
    integers and floats); the rest of the line is covered by a proved reduction. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Majorant Require Import Definitions Powers Calculus.
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

(** Beyond 14 the product [x exp(-x)] is below 0.085. *)
Lemma silu'_tail x : 14 <= x -> silu' x <= 1.0998.
Proof.
  intros Hx. pose proof (sigmoid_range x) as S.
  assert (T : x * (1 - sigmoid x) <= 0.085).
  { assert (E : 1 - sigmoid x <= exp (- x)).
    { unfold sigmoid. pose proof (exp_pos (- x)) as P. set (y := exp (- x)) in *.
      replace (1 - / (1 + y)) with (y / (1 + y)) by (field; lra). apply div_le_l; nra. }
    assert (G : (1 + x / 3) ^ 3 <= exp x).
    { replace (exp x) with (exp (x / 3) ^ 3).
      - apply pow_incr. split; [lra | apply exp_ge_tangent].
      - simpl. rewrite Rmult_1_r, <- !exp_plus. f_equal. field. }
    rewrite exp_Ropp in E. assert (P3 : 0 < (1 + x / 3) ^ 3) by (apply pow_lt; lra).
    apply Rle_trans with (x * / (1 + x / 3) ^ 3).
    - apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact E|]. now apply Rinv_le_contravar.
    - fold (Rdiv x ((1 + x / 3) ^ 3)). apply div_le_l; [assumption|].
      set (y := x - 14). replace x with (14 + y) by (unfold y; ring). assert (Hy : 0 <= y) by (unfold y; lra).
      pose proof (pow_le y 2 Hy). pose proof (pow_le y 3 Hy).
      replace ((1 + (14 + y) / 3) ^ 3) with (4913 / 27 + 289 / 9 * y + 17 / 9 * y ^ 2 + y ^ 3 / 27) by field. lra. }
  unfold silu'. replace (sigmoid x + x * (sigmoid x * (1 - sigmoid x)))
    with (sigmoid x * (1 + x * (1 - sigmoid x))) by ring.
  assert (0 <= x * (1 - sigmoid x)) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (1 * (1 + x * (1 - sigmoid x))); [apply Rmult_le_compat_r; lra | lra].
Qed.

Lemma silu'_compact x : 0 <= x <= 14 -> silu' x <= 1.0998393202.
Proof.
  intros H. unfold silu', sigmoid.
  interval with (i_bisect x, i_taylor x, i_degree 8, i_depth 40, i_prec 60).
Qed.

Theorem silu_slope x : silu' x <= 1.0998393202.
Proof.
  destruct (Rle_dec x 0) as [N|N].
  - pose proof (sigmoid_range x) as S. unfold silu'.
    assert (0 <= sigmoid x * (1 - sigmoid x)) by (apply Rmult_le_pos; lra). nra.
  - destruct (Rle_dec x 14) as [M|M]; [apply silu'_compact; lra | pose proof (silu'_tail x ltac:(lra)); lra].
Qed.

Theorem silu_slope_below x : -0.0998393202 <= silu' x.
Proof. pose proof (silu_slope (- x)) as H. rewrite silu'_reflect in H. lra. Qed.

Theorem silu_slope_sharp : exists x, 1.0998393201 <= silu' x.
Proof. exists 2.39935728. unfold silu', sigmoid. interval with (i_prec 80). Qed.

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

Lemma gelu_peak : 1.1289041451 <= gelu' (sqrt 2) <= 1.1289041452.
Proof.
  unfold gelu', Phi, gauss. rewrite pow2_sqrt by lra. 
  integral with (i_prec 60, i_fuel 2000, i_width (-50)).
Qed.

Theorem gelu_slope x : gelu' x <= 1.1289041452.
Proof. pose proof (gelu_slope_exact x). pose proof gelu_peak. lra. Qed.

Theorem gelu_slope_below x : -0.1289041452 <= gelu' x.
Proof. pose proof (gelu_slope (- x)) as H. rewrite gelu'_reflect in H. lra. Qed.
