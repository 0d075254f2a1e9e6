(** * A5: [e_l <= Lip_l e_(l-1) + s_l], [e_0 = 0] gives [e_L <= sum_l (prod_(l' > l) Lip_l') s_l]. *)

From Coq Require Import Reals Lra Lia.
From Majorant Require Import Definitions Sums.
From Majorant Require Statements.
Open Scope R_scope.

Theorem telescoping (L : nat) (e lip s : nat -> R) :
  e 0%nat = 0 ->
  (forall l, (1 <= l <= L)%nat -> 0 <= lip l) ->
  (forall l, (1 <= l <= L)%nat -> e l <= lip l * e (l - 1)%nat + s l) ->
  e L <= sum_range 1 L (fun l => s l * prod_range (l + 1) L (fun k => lip k)).
Proof.
  intros H0. induction L as [|L IH]; intros Hlip He.
  - rewrite sum_0, H0. lra.
  - rewrite sum_1. replace (S L + 1)%nat with (S (S L)) by lia.
    rewrite prod_empty, Rmult_1_r by lia.
    pose proof (He (S L) ltac:(lia)) as Step. replace (S L - 1)%nat with L in Step by lia.
    pose proof (Hlip (S L) ltac:(lia)) as Pos.
    specialize (IH ltac:(intros; apply Hlip; lia) ltac:(intros; apply He; lia)).
    assert (lip (S L) * e L <= lip (S L) * sum_range 1 L (fun l => s l * prod_range (l + 1) L (fun k => lip k)))
      by (apply Rmult_le_compat_l; assumption).
    rewrite (sum_ext 1 L (fun l => s l * prod_range (l + 1) (S L) (fun k => lip k))
      (fun l => lip (S L) * (s l * prod_range (l + 1) L (fun k => lip k)))).
    + rewrite sum_scal. lra.
    + intros l Hl. rewrite prod_S by lia. ring.
Qed.

(** ** The statements *)

Theorem A5 : Statements.A5.
Proof.
  intros L lip e s _ Hlip _ _ H0 He. apply telescoping; [assumption | |].
  - intros l _. apply Rge_le, Hlip.
  - intros l Hl. apply He. lia.
Qed.
