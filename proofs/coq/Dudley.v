(** * G2: Dudley's integral, from the dyadic tree.

    With [e_j = 2^(-j) / 2] a link of length [e_j + e_(j-1) = 6 (e_j - e_(j+1))] is paid by the integral
    of [sqrt H] from [e_(j+1)] to [e_j]. *)

From Coq Require Import Reals List Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From Majorant Require Import Definitions Sums Powers Chaining.
From Majorant Require Statements.
Import ListNotations.
Open Scope R_scope.

Definition dyadic (j : nat) : R := (1 / 2) ^ j / 2.

Lemma dyadic_S j : dyadic (S j) = dyadic j / 2.
Proof. unfold dyadic. simpl. field. Qed.

Lemma dyadic_pos j : 0 < dyadic j.
Proof. unfold dyadic. assert (0 < (1 / 2) ^ j) by (apply pow_lt; lra). lra. Qed.

Lemma dyadic_below j : dyadic (S j) <= 1 / 4.
Proof. induction j as [|j IH]; [unfold dyadic; simpl; lra|]. rewrite dyadic_S. pose proof (dyadic_pos (S j)). lra. Qed.

(** The scale at which the tree stops: [e_(J+2) < a <= e_(J+1)]. *)
Lemma last_scale a : 0 < a <= 1 / 4 -> exists J, dyadic (S (S J)) < a <= dyadic (S J).
Proof.
  intros Ha.
  assert (Small : exists k, dyadic k < a).
  { destruct (pow_lt_1_zero (1 / 2) ltac:(rewrite Rabs_pos_eq; lra) a ltac:(lra)) as [k H].
    exists k. specialize (H k ltac:(lia)). unfold dyadic.
    assert (0 < (1 / 2) ^ k) by (apply pow_lt; lra). rewrite Rabs_pos_eq in H; lra. }
  destruct Small as [k Hk].
  assert (Find : forall m, dyadic (S m) < a -> exists J, dyadic (S (S J)) < a <= dyadic (S J)).
  { induction m as [|m IH]; intros Hm.
    - unfold dyadic in Hm. simpl in Hm. lra.
    - destruct (Rlt_dec (dyadic (S m)) a) as [L|L]; [now apply IH | exists m; lra]. }
  apply (Find k). rewrite dyadic_S. pose proof (dyadic_pos k). lra.
Qed.

Section integral.
Variables (H : R -> R) (cut : R).
Hypothesis (Hcut : 0 < cut <= 1 / 4).
Hypothesis (Mono : forall x y, 0 < x <= y -> H y <= H x).
Hypothesis (Int : ex_RInt (fun e => sqrt (H e)) cut (1 / 4)).

Lemma part a b : cut <= a -> a <= b -> b <= 1 / 4 -> ex_RInt (fun e => sqrt (H e)) a b.
Proof.
  intros H1 H2 H3. apply (@ex_RInt_Chasles_1 R_CompleteNormedModule _ a b (1 / 4)); [lra|].
  apply (@ex_RInt_Chasles_2 R_CompleteNormedModule _ cut a (1 / 4)); [lra | exact Int].
Qed.

(** Left end of each dyadic cell: [sqrt H] is largest there. *)
Lemma cells J : cut <= dyadic (S J) ->
  sum_range 1 J (fun j => (dyadic j - dyadic (S j)) * sqrt (H (dyadic j)))
  <= RInt (fun e => sqrt (H e)) (dyadic (S J)) (1 / 4).
Proof.
  induction J as [|J IH]; intros HJ.
  - rewrite sum_0. replace (dyadic 1) with (1 / 4) by (unfold dyadic; simpl; field). rewrite RInt_point. apply Rle_refl.
  - assert (HJ2 : cut <= dyadic (S J)) by (rewrite dyadic_S in HJ; pose proof (dyadic_pos (S J)); lra).
    specialize (IH HJ2). rewrite sum_1. pose proof (dyadic_below J) as B.
    assert (Step : dyadic (S (S J)) <= dyadic (S J)) by (rewrite (dyadic_S (S J)); pose proof (dyadic_pos (S J)); lra).
    rewrite <- (@RInt_Chasles R_CompleteNormedModule (fun e => sqrt (H e)) (dyadic (S (S J))) (dyadic (S J)) (1 / 4)).
    + change plus with Rplus. rewrite Rplus_comm. apply Rplus_le_compat; [|exact IH].
      apply Rle_trans with (RInt (fun _ => sqrt (H (dyadic (S J)))) (dyadic (S (S J))) (dyadic (S J))).
      * rewrite RInt_const. right. reflexivity.
      * apply RInt_le; [assumption | apply ex_RInt_const | apply part; lra |].
        intros x Hx. apply sqrt_le_1_alt, Mono. pose proof (dyadic_pos (S (S J))). lra.
    + apply part; lra.
    + apply part; lra.
Qed.

Lemma cells_to_cut J : cut <= dyadic (S J) ->
  sum_range 1 J (fun j => (dyadic j - dyadic (S j)) * sqrt (H (dyadic j)))
  <= RInt (fun e => sqrt (H e)) cut (1 / 4).
Proof.
  intros HJ. eapply Rle_trans; [now apply cells|]. pose proof (dyadic_below J) as B.
  rewrite <- (@RInt_Chasles R_CompleteNormedModule (fun e => sqrt (H e)) cut (dyadic (S J)) (1 / 4)) by (apply part; lra).
  change plus with Rplus.
  assert (0 <= RInt (fun e => sqrt (H e)) cut (dyadic (S J))).
  { apply RInt_ge_0; [assumption | apply part; lra | intros; apply sqrt_pos]. }
  lra.
Qed.
End integral.

(** Covers at the finitely many scales of the tree, chosen one by one. *)
Lemma choose_covers (internal : Prop) n H F J : class_with_entropy internal n H F ->
  exists centres, chain_of_covers n J dyadic (fun j => H (dyadic j)) F centres /\
    (internal -> forall j u, (1 <= j <= J)%nat -> In u (centres j) -> F u).
Proof.
  intros [Rad [_ Cov]]. induction J as [|J [centres [[Root Lev] Int]]].
  - exists (fun _ => [fun _ => 0]). split; [split; [reflexivity|]|].
    + intros j Hj. replace j with O by lia. split; [apply dyadic_pos|]. split; [|lia].
      intros f Ff. exists (fun _ => 0). split; [now left|]. unfold dyadic. simpl. pose proof (Rad f Ff). lra.
    + intros _ j u Hj. lia.
  - destruct (Cov (dyadic (S J)) (dyadic_pos _)) as [l [Hl [Cl [Sl Il]]]].
    exists (fun j => if Nat.eqb j (S J) then l else centres j). split; [split|].
    + exact Root.
    + intros j Hj. destruct (Nat.eqb_spec j (S J)) as [->|Ne].
      * split; [apply dyadic_pos|]. split; [assumption | now split].
      * apply Lev. lia.
    + intros I j u Hj Hu. destruct (Nat.eqb_spec j (S J)) as [->|Ne]; [now apply Il|].
      apply (Int I j u); [lia | assumption].
Qed.

Lemma entropy_nonneg internal n H F e : class_with_entropy internal n H F -> 0 < e -> 0 <= H e.
Proof.
  intros [_ [_ Cov]] He. destruct (Cov e He) as [l [Hl [_ [Sl _]]]].
  assert (1 <= INR (length l)) by (change 1 with (INR 1); apply le_INR; destruct l; [contradiction | simpl; lia]).
  pose proof (ln_nonneg _ H0). lra.
Qed.

Section dudley.
Variables (n : nat) (H : R -> R) (F : (nat -> R) -> Prop) (cut r : R).
Hypotheses (Hn : (1 <= n)%nat) (Hcut : 0 < cut <= 1 / 4).
Hypothesis (Int : ex_RInt (fun e => sqrt (H e)) cut (1 / 4)).
Hypothesis (Hr : rademacher_value n F r).

Let I := RInt (fun e => sqrt (H e)) cut (1 / 4).

Lemma root_n : 0 < sqrt (INR n).
Proof. apply sqrt_lt_R0, lt_0_INR. lia. Qed.

Theorem dudley_any : class_with_entropy False n H F -> r <= 4 * cut + 6 * sqrt 2 * I / sqrt (INR n).
Proof.
  intros C. destruct (last_scale cut Hcut) as [J [J1 J2]].
  destruct (choose_covers False n H F J C) as [centres [Chain _]].
  pose proof (chaining_any n Hn F J dyadic (fun j => H (dyadic j)) centres r Chain Hr) as B.
  pose proof (cells_to_cut H cut Hcut ltac:(apply C) Int J J2) as K. fold I in K.
  assert (E4 : dyadic J <= 4 * cut) by (rewrite !dyadic_S in J1; lra).
  eapply Rle_trans; [exact B|]. apply Rplus_le_compat; [exact E4|].
  rewrite (sum_ext 1 J _ (fun j => 6 * sqrt 2 / sqrt (INR n) * ((dyadic j - dyadic (S j)) * sqrt (H (dyadic j))))).
  - rewrite sum_scal. pose proof root_n. pose proof (sqrt_pos 2).
    replace (6 * sqrt 2 * I / sqrt (INR n)) with (6 * sqrt 2 / sqrt (INR n) * I) by (field; lra).
    apply Rmult_le_compat_l; [apply div_nonneg; lra | exact K].
  - intros j Hj. rewrite (split_root n _ (H (dyadic j)) Hn) by (apply (entropy_nonneg _ _ _ _ _ C), dyadic_pos).
    pose proof root_n. set (g := sqrt (H (dyadic j))). rewrite dyadic_S.
    replace (dyadic j) with (dyadic (S (j - 1))) by (f_equal; lia). rewrite dyadic_S. field. lra.
Qed.

Theorem dudley_internal : class_with_entropy True n H F -> r <= 4 * cut + 4 * sqrt 2 * I / sqrt (INR n).
Proof.
  intros C. destruct (last_scale cut Hcut) as [J [J1 J2]].
  destruct (choose_covers True n H F J C) as [centres [Chain In_]].
  pose proof (chaining_internal n Hn F J dyadic (fun j => H (dyadic j)) centres r Chain (In_ Logic.I) Hr) as B.
  pose proof (cells_to_cut H cut Hcut ltac:(apply C) Int J J2) as K. fold I in K.
  assert (E4 : dyadic J <= 4 * cut) by (rewrite !dyadic_S in J1; lra).
  eapply Rle_trans; [exact B|]. apply Rplus_le_compat; [exact E4|].
  rewrite (sum_ext 1 J _ (fun j => 4 * sqrt 2 / sqrt (INR n) * ((dyadic j - dyadic (S j)) * sqrt (H (dyadic j))))).
  - rewrite sum_scal. pose proof root_n. pose proof (sqrt_pos 2).
    replace (4 * sqrt 2 * I / sqrt (INR n)) with (4 * sqrt 2 / sqrt (INR n) * I) by (field; lra).
    apply Rmult_le_compat_l; [apply div_nonneg; lra | exact K].
  - intros j Hj. rewrite (split_root n _ (H (dyadic j)) Hn) by (apply (entropy_nonneg _ _ _ _ _ C), dyadic_pos).
    pose proof root_n. set (g := sqrt (H (dyadic j))). rewrite dyadic_S.
    replace (dyadic j) with (dyadic (S (j - 1))) by (f_equal; lia). rewrite dyadic_S. field. lra.
Qed.
End dudley.

(** ** The statements *)

Theorem G2 : Statements.G2.
Proof.
  intros cut integral r n Hc _ _ [Hn [H [F [C [Int [-> R]]]]]] Hcut. apply (dudley_any n H F); try assumption. lra.
Qed.

Theorem G2_internal : Statements.G2_internal.
Proof.
  intros cut integral r n Hc _ _ [Hn [H [F [C [Int [-> R]]]]]] Hcut. apply (dudley_internal n H F); try assumption. lra.
Qed.
